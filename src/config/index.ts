export { type Paths, pathsOf } from './paths'
export { loadSettings, type Settings } from './settings'
