export { type AgentAction, deriveActions, loadActions } from './actions'
export type { ToolHost } from './run-action'
export { toolsOf } from './tool-list'
export { toolServer } from './tool-server'
