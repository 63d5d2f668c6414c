export { mayReceiveToken } from './may-receive-token'
export { openTokenSource, type TokenSettings } from './open-token-source'
export { isSignedToken, type TokenSource } from './token-source'
