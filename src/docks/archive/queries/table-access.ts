import { type Kysely, sql } from 'kysely'

/** Who owns a table, and who may use it. */
export interface TableAccess {
  owner: string
  grants: { grantee: string | null; privilege: string; isGrantable: boolean }[]
}

export async function readTableAccess(db: Kysely<any>, table: string): Promise<TableAccess> {
  const owners = await sql<{ owner: string }>`
    select pg_get_userbyid(relowner) as owner from pg_class where oid = ${table}::regclass`.execute(db)
  const grants = await sql<TableAccess['grants'][number]>`
    select case when grantee = 0 then null else pg_get_userbyid(grantee) end as grantee, privilege_type as privilege,
      is_grantable as "isGrantable"
    from pg_class, aclexplode(relacl) where pg_class.oid = ${table}::regclass and grantee <> relowner`.execute(db)
  return { owner: owners.rows[0]!.owner, grants: grants.rows }
}

/**
 * Gives a new table and its partitions this owner, and the table these grants. It takes away those that default privileges have
 * added. The owner comes first, because a role that creates a table for its group needs no grant until the table is the group's.
 */
export async function restoreTableAccess(
  db: Kysely<any>,
  { table, partitions }: { table: string; partitions: readonly string[] },
  { owner, grants }: TableAccess,
): Promise<void> {
  for (const name of [table, ...partitions]) {
    const current = await readTableAccess(db, name)
    if (current.owner !== owner) await sql`alter table ${sql.table(name)} owner to ${sql.id(owner)}`.execute(db)
    for (const { grantee } of (await readTableAccess(db, name)).grants)
      await sql`revoke all on ${sql.table(name)} from ${role(grantee)}`.execute(db)
  }
  for (const { grantee, privilege, isGrantable } of grants) {
    const option = isGrantable ? sql` with grant option` : sql``
    await sql`grant ${sql.raw(privilege)} on ${sql.table(table)} to ${role(grantee)}${option}`.execute(db)
  }
}

const role = (name: string | null) => (name === null ? sql`public` : sql.id(name))
