export * from './drafts'
export * from './folders'
export * from './publications'
