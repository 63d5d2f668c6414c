import { StudioError } from '../kernel'

/** The settings have no tracker of this name. `known` are the names that they have. */
export function createUnknownTrackerError(name: string, known: readonly string[]): StudioError {
  const listed = known.length === 0 ? '' : `Named trackers: ${known.join(', ')}. `
  const example = /^[a-z][a-z0-9-]*$/.test(name) ? name : '<name>'
  return new StudioError('invalid', `The settings have no tracker "${name}".`, {
    hint: `${listed}To add one: studio init --add ${example}`,
  })
}
