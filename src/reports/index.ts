export { prioritiesMigration } from './tables'
