export { type AgentAction, deriveActions, loadActions } from './actions'
export { toolsOf } from './tool-list'
export { type ToolHost, toolServer } from './tool-server'
