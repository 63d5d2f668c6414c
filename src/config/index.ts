export { type Paths, pathsOf } from './paths'
export { databaseAddress, loadSettings, type Settings } from './settings'
