export * from './draft-files'
export * from './drafts'
export * from './folders'
export * from './publications'
