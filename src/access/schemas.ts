import * as z from 'zod'
import { type DockRole, dockRoles, includesDockRole, type Role, roles, type Scope } from '../kernel'
import { formatInstant } from '../kernel/time'
import type { PersonTable, SessionTable, StaffMemberTable, TenantKeyTable, TokenTable } from './tables'

const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const TenantName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be 1 to 63 letters, digits, dots, dashes or underscores')
  .describe('Name of the tenant')

/** The tenant whose staff or keys a call manages. */
export const ManagedTenant = TenantName.optional().describe(
  'The tenant (default: your own, or the tenant in the settings)',
)

export const Tenant = z.object({
  id: z.string(),
  name: z.string(),
  liveKeys: z.int().describe('Number of keys that are not revoked'),
  createdAt: Instant,
})

export const TokenScope = z.enum(['read', 'write', 'admin']) satisfies z.ZodType<Scope>

export const UserRole = z.enum(roles)

const roleOfScope = { read: 'reader', write: 'publisher', admin: 'admin' } as const satisfies Record<Scope, Role>

/** The role of the widest scope. */
export function toRole(scopes: readonly Scope[]): Role | null {
  const widest = (['admin', 'write', 'read'] as const).find((scope) => scopes.includes(scope))
  return widest === undefined ? null : roleOfScope[widest]
}

export const DockRoleName = z.enum(dockRoles)

const dockRoleOfScope = { read: 'viewer', write: 'manager', admin: 'admin' } as const satisfies Record<Scope, DockRole>

/** A carrier only books for itself. */
const CARRIER_ROLE: DockRole = 'clerk'

/** Whether a caller that is bound to a carrier may have the role. */
export function isCarrierRole(role: DockRole): boolean {
  return includesDockRole(CARRIER_ROLE, role)
}

/** The role at the docks for a scope. A carrier with `write` can only book. */
export function toDockRole(scope: Scope, carrier: string | null = null): DockRole {
  return carrier !== null && scope === 'write' ? CARRIER_ROLE : dockRoleOfScope[scope]
}

/** The scopes that a role includes. */
function listScopes(role: Role | null): Scope[] {
  return TokenScope.options.filter((scope) => role !== null && roles.indexOf(role) >= roles.indexOf(roleOfScope[scope]))
}

export const dockRoleAbout =
  'Role at the docks: a viewer reads, gate records visits, a clerk books, a manager sets up facilities, an admin manages staff, keys and webhooks'

/** A stored key, without its secret. */
export const TenantKey = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  prefix: z.string().describe('The public part of the key'),
  role: DockRoleName.describe(dockRoleAbout),
  carrier: z.string().nullable().describe('The only carrier that it is for; null for the tenant itself'),
  createdAt: Instant,
  lastUsedAt: Instant.nullable().describe('To the minute; null before the first use'),
  revokedAt: Instant.nullable(),
})
export type TenantKey = z.infer<typeof TenantKey>

export function toTenantKey(tenant: string, row: TenantKeyTable): TenantKey {
  return {
    id: row.id,
    tenant,
    name: row.name,
    prefix: row.prefix,
    role: row.role,
    carrier: row.carrier_name,
    createdAt: formatInstant(row.created_at),
    lastUsedAt: formatOptionalInstant(row.last_used_at),
    revokedAt: formatOptionalInstant(row.revoked_at),
  }
}

function formatOptionalInstant(epochMs: number | null): string | null {
  return epochMs === null ? null : formatInstant(epochMs)
}

/** A stored token, without its secret. */
export const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  role: UserRole,
  scopes: z.array(TokenScope).describe('The scopes that the role includes'),
  prefix: z.string().describe('The public part of the token'),
  createdAt: Instant,
  expiresAt: Instant.nullable().describe('Null if it does not expire'),
  lastUsedAt: Instant.nullable().describe('To the minute; null before the first use'),
  revokedAt: Instant.nullable(),
})
export type AccessToken = z.infer<typeof AccessToken>

export function toAccessToken(row: TokenTable): AccessToken {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    scopes: listScopes(row.role),
    prefix: row.prefix,
    createdAt: formatInstant(row.created_at),
    expiresAt: formatOptionalInstant(row.expires_at),
    lastUsedAt: formatOptionalInstant(row.last_used_at),
    revokedAt: formatOptionalInstant(row.revoked_at),
  }
}

/** A text of one line, at most so long. */
export function oneLine(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')
}

/** A name of one line. */
export const OneLineName = oneLine(100)

export const EmailAddress = z
  .email()
  .max(254)
  .toLowerCase()
  .describe('E-mail address of the person, in any letter case')

/** Someone who signs in to the console with a link by mail. */
export const Person = z.object({
  email: z.string(),
  name: z.string().nullable(),
  role: UserRole,
  createdAt: Instant,
})

export function toPerson({ email, name, role, created_at }: PersonTable): z.infer<typeof Person> {
  return { email, name, role, createdAt: formatInstant(created_at) }
}

/** What lists and pages call a person. */
export function getPersonName({ name, email }: Pick<PersonTable, 'name' | 'email'>): string {
  return name ?? email
}

/** Someone who acts for a tenant at its docks. */
export const StaffMember = z.object({
  id: z.string(),
  tenant: z.string(),
  email: z.string(),
  name: z.string(),
  role: DockRoleName.describe(dockRoleAbout),
  createdAt: Instant,
})

export function toStaffMember(
  tenant: string,
  { id, email, name, role, created_at }: StaffMemberTable,
): z.infer<typeof StaffMember> {
  return { id, tenant, email, name, role, createdAt: formatInstant(created_at) }
}

/** A browser that is signed in to the console, or a link that was not opened yet. */
export const ConsoleSession = z.object({
  id: z.string(),
  kind: z.enum(['session', 'link']),
  isScreen: z
    .boolean()
    .describe('Whether it is a screen that shows the docks: its session is renewed while it is used'),
  name: z.string().nullable().describe('Name of the user; null if only a dock key was given'),
  role: UserRole.nullable().describe('What the browser may do with stories'),
  scopes: z.array(TokenScope).describe('The scopes that the role includes'),
  tokenId: z.string().nullable().describe('The token that it was opened with'),
  tenant: z.string().nullable().describe('The tenant whose docks it may see and book'),
  address: z.string().nullable().describe('Address of the browser'),
  userAgent: z.string().nullable().describe('What the browser calls itself'),
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: Instant.nullable().describe('To the minute'),
})
export type ConsoleSession = z.infer<typeof ConsoleSession>

export function toConsoleSession(row: SessionTable & { tenant: string | null }): ConsoleSession {
  return {
    id: row.id,
    kind: row.is_link ? 'link' : 'session',
    isScreen: row.is_screen === 1,
    name: row.name,
    role: row.role,
    scopes: listScopes(row.role),
    tokenId: row.token_id,
    tenant: row.tenant,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: formatInstant(row.created_at),
    expiresAt: formatInstant(row.expires_at),
    lastUsedAt: formatOptionalInstant(row.last_used_at),
  }
}
