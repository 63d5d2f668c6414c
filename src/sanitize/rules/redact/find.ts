import { type Finding, mergeOverlaps, type Passage } from './finding'
import { findOptionalKinds, type OptionalKind } from './optional-kinds'
import { findPasswords } from './passwords/passwords'
import { findAccounts } from './people/accounts'
import { findEmails } from './people/emails'
import { findMentions, type KnownPeople } from './people/mentions'
import { findPhones } from './people/phones'
import { findPercentEncoded } from './percent-encoded'
import { findEncodedAddresses } from './tokens/encoded-addresses'
import { findEncodedSecrets } from './tokens/encoded-secrets'
import { findPrivateKeys } from './tokens/private-keys'
import { findTokens } from './tokens/tokens'

/** Specifies what to find in addition to secrets and the addresses of people. */
export interface RedactionRules {
  people: KnownPeople
  also: ReadonlySet<OptionalKind>
  /** Whether any name after an `@` is a mention. */
  areLogins?: boolean
}

/**
 * Returns every secret and person in a passage, in order and without overlaps. If a secret and a person overlap, the result is a
 * secret.
 */
export function findRedactions(passage: Passage, { people, also, areLogins }: RedactionRules): Finding[] {
  const secrets = findSecrets(passage)
  const persons = mergeOverlaps([
    ...findOptionalKinds(passage.text, also),
    ...findMentions(passage, people, areLogins),
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

/** Returns every secret in a passage, in order and without overlaps. */
export function findSecrets(passage: Passage): Finding[] {
  return mergeOverlaps([
    ...findPlainSecrets(passage),
    ...findEncodedAddresses(passage.text),
    ...findPercentEncoded(passage, findPlainSecrets),
  ])
}

function findPlainSecrets(passage: Passage): Finding[] {
  return [
    ...findPrivateKeys(passage.text),
    ...findTokens(passage.text),
    ...findPasswords(passage),
    ...findEncodedSecrets(passage.text),
  ]
}
