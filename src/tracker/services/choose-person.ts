import { equalsIgnoringCase } from '../../kernel/text/text'

/** The one person who has the name, or else the only one that was found; null if there is none, or several. */
export function choosePerson<Found>(
  found: readonly Found[],
  name: string,
  listNames: (person: Found) => readonly (string | undefined)[],
): Found | null {
  const exact = found.filter((person) => listNames(person).some((one) => equalsIgnoringCase(one ?? '', name)))
  const chosen = exact.length > 0 ? exact : found
  return chosen.length === 1 ? chosen[0]! : null
}
