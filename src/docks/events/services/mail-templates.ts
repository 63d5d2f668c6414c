import { findTenantId } from '../../../access'
import type { Context } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { findMailTemplates } from '../../queries'
import type { MailTemplate } from '../mail-template-schemas'
import type { MailTemplateTable } from '../migrations'
import { chooseTemplate, type MailKind } from '../rules/mail-templates'

export type OwnMailTemplates = Map<MailKind, MailTemplateTable>

/** What the caller's tenant has in place of the defaults. */
export async function readOwnTemplates(ctx: Pick<Context, 'actor'>, tx: ReadTx): Promise<OwnMailTemplates> {
  const tenantId = await findTenantId(ctx, tx)
  return tenantId === null ? new Map() : findMailTemplates(tx, tenantId)
}

export function presentMailTemplate(own: OwnMailTemplates, id: MailKind): MailTemplate {
  const row = own.get(id)
  return {
    id,
    ...chooseTemplate(own, id),
    own: row !== undefined,
    updatedAt: row === undefined ? null : formatInstant(row.updated_at),
  }
}
