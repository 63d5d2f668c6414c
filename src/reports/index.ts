export { reportsMigration } from './migrations'
