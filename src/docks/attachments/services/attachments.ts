import { type Context, hint, StudioError, suggest } from '../../../kernel'
import type { ReadTx, WriteTx } from '../../../storage'
import { type AppointmentRecord, type AttachmentRecord, findAttachment, insertChange } from '../../queries'
import { createChange, lockAppointment, requireAppointment } from '../../services/tenant-access'

/** Throws `not_found`, also for an attachment of an appointment that the caller may not see. */
export async function requireAttachment(
  ctx: Pick<Context, 'actor'>,
  tx: ReadTx,
  id: string,
): Promise<AttachmentRecord> {
  const attachment = await findAttachment(tx, id)
  const isVisible = attachment !== null && (await isSeen(ctx, tx, attachment.appointment_id))
  if (isVisible) return attachment
  throw new StudioError('not_found', `There is no attachment ${id}.`, {
    hint: hint`List the attachments of an appointment: ${suggest('attachments.list', { id: '<appointmentId>' })}`,
  })
}

async function isSeen(ctx: Pick<Context, 'actor'>, tx: ReadTx, appointmentId: string): Promise<boolean> {
  try {
    await requireAppointment(ctx, tx, appointmentId)
    return true
  } catch (error) {
    if (error instanceof StudioError && error.code === 'not_found') return false
    throw error
  }
}

/** The attachment and its appointment, with the facility locked. */
export async function lockAttachment(
  ctx: Pick<Context, 'actor'>,
  tx: WriteTx,
  id: string,
): Promise<{ attachment: AttachmentRecord; appointment: AppointmentRecord }> {
  const { appointment_id } = await requireAttachment(ctx, tx, id)
  const { appointment } = await lockAppointment(ctx, tx, appointment_id)
  // Another caller may have removed it meanwhile.
  return { attachment: await requireAttachment(ctx, tx, id), appointment }
}

/** The history says who added or removed a file. The appointment itself does not change. */
export function recordAttachment(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: WriteTx,
  { kind, appointment, name }: { kind: 'file_added' | 'file_removed'; appointment: AppointmentRecord; name: string },
): Promise<void> {
  const details = { lastChangedAt: appointment.updatedAt }
  return insertChange(tx, appointment.id, { ...createChange(ctx, kind), note: name, details })
}
