import { findAccounts } from './accounts'
import { findEmails } from './emails'
import { findEncodedAddresses } from './encoded-addresses'
import type { Finding, Passage } from './finding'
import { findMentions, type KnownPeople } from './mentions'
import { findOptionalKinds, type OptionalKind } from './optional-kinds'
import { findPasswords } from './passwords'
import { findPhones } from './phones'
import { findPrivateKeys } from './private-keys'
import { findTokens } from './tokens'

/** Specifies what to find in addition to secrets and the addresses of people. */
export interface RedactionRules {
  people: KnownPeople
  also: ReadonlySet<OptionalKind>
}

/**
 * Returns every secret and person in a passage, in order and without overlaps. If a secret and a person overlap, the result is a
 * secret.
 */
export function findRedactions(passage: Passage, { people, also }: RedactionRules): Finding[] {
  const secrets = mergeOverlaps([
    ...findPrivateKeys(passage.text),
    ...findTokens(passage.text),
    ...findPasswords(passage),
    ...findEncodedAddresses(passage.text),
  ])
  const persons = mergeOverlaps([
    ...findOptionalKinds(passage.text, also),
    ...findMentions(passage, people),
    ...findEmails(passage.text),
    ...findAccounts(passage),
    ...findPhones(passage),
  ])
  let next = 0
  const outsideSecrets = persons.filter((person) => {
    while ((secrets[next]?.end ?? Number.POSITIVE_INFINITY) <= person.start) next++
    return (secrets[next]?.start ?? Number.POSITIVE_INFINITY) >= person.end
  })
  return [...secrets, ...outsideSecrets].sort((a, b) => a.start - b.start)
}

/** Sorts findings and merges those that overlap. */
function mergeOverlaps(findings: Finding[]): Finding[] {
  const result: Finding[] = []
  for (const finding of findings.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last && finding.start < last.end) last.end = Math.max(last.end, finding.end)
    else result.push({ ...finding })
  }
  return result
}
