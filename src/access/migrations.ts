import type { Migration } from '../storage'
import type { InvitationTable, PortalCredentialTable } from './invitation-tables'
import type {
  IdempotencyRecordTable,
  PersonTable,
  SessionTable,
  SignInAttemptTable,
  StaffMemberTable,
  TenantKeyTable,
  TenantTable,
  TokenTable,
} from './tables'

/** Times are epoch milliseconds. */
export interface AccessTables {
  tenant: TenantTable
  tenant_key: TenantKeyTable
  access_token: TokenTable
  console_session: SessionTable
  sign_in_attempt: SignInAttemptTable
  person: PersonTable
  staff_member: StaffMemberTable
  carrier_invitation: InvitationTable
  portal_credential: PortalCredentialTable
  kept_answer: IdempotencyRecordTable
}

/** What creates the tables is loaded for a new database only. */
export const accessMigration: Migration = {
  name: '0005-access',
  async up(db) {
    await (await import('./tables')).createAccessTables(db)
  },
}
