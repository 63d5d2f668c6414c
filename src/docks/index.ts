export { docksMigration } from './tables'
