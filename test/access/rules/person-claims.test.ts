import { describe, expect, it } from 'vitest'
import { judgePerson, type PeopleRules } from '../../../src/access/rules/person-claims'

const rules: PeopleRules = {
  rolesClaim: 'groups',
  roles: { reader: ['staff'], editor: ['writers'], admin: ['owners'] },
  allowedDomains: null,
}
const roleOf = (claims: object, changes: Partial<PeopleRules> = {}) => {
  const verdict = judgePerson({ sub: 'a', ...claims }, { ...rules, ...changes })
  return 'role' in verdict ? verdict.role : null
}

describe('the role of a person', () => {
  it.each([
    [{ groups: ['staff'] }, 'reader'],
    [{ groups: ['owners', 'staff'] }, 'admin'],
    [{ groups: 'writers' }, 'editor'],
    [{ groups: ['Staff'] }, null],
    [{ groups: ['staff2', 7, null, { staff: true }] }, null],
    [{ groups: { 0: 'staff' } }, null],
    [{ roles: ['staff'] }, null],
    [{}, null],
  ])('of %j is %s', (claims, role) => {
    expect(roleOf(claims)).toBe(role)
  })

  it('comes from a claim inside of another one, or from one whose name has dots', () => {
    const path = { rolesClaim: 'realm_access.roles' }
    expect(roleOf({ realm_access: { roles: ['staff'] } }, path)).toBe('reader')
    expect(roleOf({ 'realm_access.roles': ['owners'] }, path)).toBe('admin')
    expect(roleOf({ realm_access: 'staff' }, path)).toBe(null)
    expect(roleOf({}, { rolesClaim: 'constructor.name', roles: { admin: ['Object'] } })).toBe(null)
  })

  it('is that of everyone where a rule has a star, which no claim can have', () => {
    expect(roleOf({}, { roles: { reader: ['*'], admin: ['owners'] } })).toBe('reader')
    expect(roleOf({ groups: ['*'] })).toBe(null)
  })
})

describe('the domain of a person', () => {
  const of = { roles: { reader: ['*'] }, allowedDomains: ['example.com'] }
  it.each([
    [{ email: 'ann@example.com', email_verified: true }, 'reader'],
    [{ email: 'ann@EXAMPLE.com', email_verified: true }, 'reader'],
    [{ email: 'ann@example.com' }, null],
    [{ email: 'ann@example.com', email_verified: 'true' }, null],
    [{ email: 'ann@sub.example.com', email_verified: true }, null],
    [{ email: '"@example.com"@evil.example', email_verified: true }, null],
    [{ email: 'example.com', email_verified: true }, null],
    [{}, null],
  ])('of %j gives %s', (claims, role) => {
    expect(roleOf(claims, of)).toBe(role)
  })
})

describe('the name of a person', () => {
  it.each([
    [{ email: 'ann@example.com', email_verified: true, preferred_username: 'ann' }, 'ann@example.com'],
    [{ email: 'ceo@example.com', preferred_username: 'ann' }, 'ann'],
    [{ name: 'Ann\u0007 Lee' }, 'Ann Lee'],
    [{}, 'a'],
  ])('in %j is %s', (claims, name) => {
    expect(judgePerson({ sub: 'a', groups: ['staff'], ...claims }, rules)).toMatchObject({ name })
  })
})
