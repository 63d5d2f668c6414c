import { findSecrets } from './find-secrets'
import { type Finding, mergeOverlaps, type Passage } from './finding'
import { findOptionalKinds, type OptionalKind } from './optional-kinds'
import { findAccounts } from './people/accounts'
import { findEmails } from './people/emails'
import { findMentions, type KnownPeople } from './people/mentions'
import { findPhones } from './people/phones'

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
