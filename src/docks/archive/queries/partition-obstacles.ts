import { sql } from 'kysely'
import { StudioError } from '../../../kernel'
import { type ReadTx, tables } from '../../../storage'

/**
 * Throws `conflict` if administrators have protected or published the table of appointments in a way that its replacement would lose, and
 * names how. Who reads which rows must not change because the table is split.
 */
export async function requirePartitionable(tx: ReadTx): Promise<void> {
  const { rows } = await sql<{ kind: string; name: string }>`
    with part as (
      select 'appointment'::regclass::oid as id
      union all select inhrelid from pg_inherits where inhparent = 'appointment'::regclass)
    select 'row-security policies' as kind, polname as name from pg_policy where polrelid in (select id from part)
    union select 'row security', 'enabled' from pg_class where relrowsecurity and oid in (select id from part)
    union select 'publications', pubname from pg_publication_rel
      join pg_publication on pg_publication.oid = prpubid where prrelid in (select id from part)
    union select 'column grants', attname || ' to ' || case when grantee = 0 then 'public' else pg_get_userbyid(grantee) end
      from pg_attribute, aclexplode(attacl) where attrelid in (select id from part)
    order by kind, name`.execute(tables<any>(tx))
  if (rows.length === 0) return
  const kinds = [...new Set(rows.map(({ kind }) => kind))].map((kind) => {
    const names = rows.filter((row) => row.kind === kind).map(({ name }) => name)
    return `${kind} (${names.join(', ')})`
  })
  throw new StudioError(
    'conflict',
    `The partitioned table would not have what the appointments have: ${kinds.join('; ')}.`,
    {
      hint: 'Drop these objects, run the command again, then recreate them.',
    },
  )
}
