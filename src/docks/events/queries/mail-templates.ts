import { precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import type { MailTemplateTable } from '../migrations'
import type { MailKind } from '../rules/mail-templates'

/** What the tenant has in place of the defaults. */
export async function findMailTemplates(tx: ReadTx, tenantId: string): Promise<Map<MailKind, MailTemplateTable>> {
  return new Map((await runFindMailTemplates(tx, { tenantId })).map((row) => [row.kind, row]))
}

const runFindMailTemplates = precompileQuery((tx, { tenantId }: { tenantId: string }) =>
  docksTables(tx).selectFrom('mail_template').selectAll().where('tenant_id', '=', tenantId),
)

/** Undefined parts do not change. */
export async function saveMailTemplate(
  tx: WriteTx,
  key: Pick<MailTemplateTable, 'tenant_id' | 'kind'>,
  { subject, text, at }: { subject: string | undefined; text: string | undefined; at: number },
): Promise<void> {
  await docksTables(tx)
    .insertInto('mail_template')
    .values({ ...key, subject: subject ?? null, text: text ?? null, updated_at: at })
    .onConflict((existing) => existing.columns(['tenant_id', 'kind']).doUpdateSet({ subject, text, updated_at: at }))
    .execute()
}

/** Returns whether there was one. */
export async function deleteMailTemplate(
  tx: WriteTx,
  { tenant_id, kind }: Pick<MailTemplateTable, 'tenant_id' | 'kind'>,
): Promise<boolean> {
  const query = docksTables(tx).deleteFrom('mail_template').where('tenant_id', '=', tenant_id).where('kind', '=', kind)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}
