export { prioritiesMigration } from './migrations'
