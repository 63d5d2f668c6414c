/**
 * What ends a command in order. Windows sends SIGBREAK for Ctrl+Break and SIGHUP when the window is closed, and ends the process some
 * seconds later.
 */
export function getStopSignals(platform: NodeJS.Platform = process.platform): NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM']
}
