import { type Role, roles } from '../../kernel'

/** Who may sign in, and with which role. */
export interface PeopleRules {
  rolesClaim: string
  roles: Partial<Record<Role, readonly string[]>>
  allowedDomains: readonly string[] | null
}

export type Claims = Readonly<Record<string, unknown>>

/** `role` is null for someone who may do nothing with stories. `email` is null unless the provider reports it as verified. */
export type PersonVerdict = { name: string; role: Role | null; email: string | null } | { refusal: string }

const EVERYONE = '*'
const MAX_NAME_LENGTH = 200

/** What the claims of a person give. The highest role counts. */
export function judgePerson(claims: Claims, rules: PeopleRules): PersonVerdict {
  const { allowedDomains } = rules
  const email = findVerifiedEmail(claims)
  if (allowedDomains !== null) {
    if (email === null)
      return { refusal: 'Your provider reports no verified e-mail address, which this service requires.' }
    const domain = email.slice(email.lastIndexOf('@') + 1)
    if (!allowedDomains.includes(domain)) return { refusal: `This service admits no one of ${domain}.` }
  }
  const values = [...listValues(claims, rules.rolesClaim), EVERYONE]
  const role = roles.findLast((each) => rules.roles[each]?.some((value) => values.includes(value)))
  return { name: nameOf(claims), role: role ?? null, email }
}

function findVerifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  if (typeof email !== 'string' || isVerified !== true) return null
  const at = email.lastIndexOf('@')
  return at > 0 && at < email.length - 1 ? email.toLowerCase() : null
}

/** The values of a claim: a text, or a list of texts. `realm_access.roles` is a claim of that name, or leads into an object. */
function listValues(claims: Claims, claim: string): string[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : followPath(claims, claim.split('.'))
  const values = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  // The star is the rule's own word for everyone.
  return values.filter((each) => typeof each === 'string' && each !== EVERYONE)
}

function followPath(claims: Claims, names: readonly string[]): unknown {
  let at: unknown = claims
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Claims)[name]
  }
  return at
}

function nameOf({ email, email_verified: isVerified, preferred_username: username, name, sub }: Claims): string {
  const texts = [isVerified === true ? email : undefined, username, name, sub]
  const found = texts.find((text) => typeof text === 'string' && text.trim() !== '') as string | undefined
  return (found ?? 'person').replace(/[\u0000-\u001f\u007f]/g, '').slice(0, MAX_NAME_LENGTH)
}
