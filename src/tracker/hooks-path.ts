/** Below it, a service accepts the events of each tracker by its name. */
export const HOOKS_PATH = '/api/tracker/hooks'
