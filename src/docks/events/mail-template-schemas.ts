import * as z from 'zod'
import { Text } from '../rules/text'
import { Instant } from '../schemas'
import { lineVariables, mailKinds, textVariables } from './rules/mail-templates'
import { findTemplateError } from './rules/template-text'

export const MailTemplateId = z.enum(mailKinds)

/** Refuses what cannot be filled in. */
function checkTemplate(known: Record<string, string>) {
  return (template: string, context: z.core.$RefinementCtx<string>) => {
    const error = findTemplateError(template, Object.keys(known))
    if (error !== null) context.addIssue({ code: 'custom', message: error })
  }
}

export const SubjectTemplate = Text.min(1)
  .max(200)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'must be one line without control characters')
  .superRefine(checkTemplate(lineVariables))
  .describe('Subject, with variables such as {{reference}}')

export const TextTemplate = Text.min(1)
  .max(5000)
  .overwrite((text) => text.replace(/\r\n?/g, '\n'))
  .refine((text) => !/[^\P{Cc}\n\t]/u.test(text), 'must not contain control characters')
  .superRefine(checkTemplate(textVariables))
  .describe('Text, with variables such as {{start}}; {{details}} is the table of the appointment')

export const MailTemplate = z.object({
  id: MailTemplateId,
  subject: z.string(),
  text: z.string(),
  own: z.boolean().describe('Whether the tenant has replaced the subject or the text'),
  updatedAt: Instant.nullable().describe('When it was replaced; null for the default'),
})
export type MailTemplate = z.infer<typeof MailTemplate>
