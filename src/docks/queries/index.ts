export * from './appointments'
export * from './facilities'
