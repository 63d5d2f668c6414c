/** The folder on Windows for the files of programs that stay on this machine. A service may run without the variable, or with an empty one. */
export function getLocalAppData(env: NodeJS.ProcessEnv, home: string): string {
  return env['LOCALAPPDATA'] || `${home}\\AppData\\Local`
}
