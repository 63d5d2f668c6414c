export * from './drafts'
export * from './folders'
