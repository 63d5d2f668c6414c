import { expect, it } from 'vitest'
import { getStopSignals } from '../../commands/start/stop-signals'

it('Ctrl+C and an end by the system stop a command in order, and on Windows also Ctrl+Break and the end of the window', () => {
  expect(getStopSignals('linux')).toEqual(['SIGINT', 'SIGTERM'])
  expect(getStopSignals('win32')).toEqual(['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'])
})
