import { describe, expect, it } from 'vitest'
import { fillMail } from '../../../../src/docks/events/rules/fill-mail'
import { describeChange } from '../../../../src/docks/events/rules/mail-content'
import { getDefaultTemplate, mailKinds } from '../../../../src/docks/events/rules/mail-templates'
import { createSampleChange, createSampleContent } from '../../../../src/docks/events/rules/sample-content'

const change = createSampleChange('moved')
const content = describeChange(change)

describe('a template that is filled in', () => {
  it('by default says what happened, and then the facts', () => {
    const { subject, text, html } = fillMail(getDefaultTemplate('moved'), content)
    expect(subject).toBe('Moved: PO-1001, Tue, 2 Mar 2027, 06:00 (America/Chicago) at Sample Warehouse, Door 1')
    expect(text).toBe(`The appointment PO-1001 was moved.

When:      Tue, 2 Mar 2027, 06:00 (America/Chicago) to 07:00
Where:     Sample Warehouse (SAMPLE), Door 1
Before:    Mon, 1 Mar 2027, 09:00 (America/Chicago), Door 1
Type:      delivery
Carrier:   Sample Freight
Reference: PO-1001
Pallets:   20
Trailer:   TR-7
Reason:    Carrier delayed
Note:      Call the gate on arrival
`)
    expect(html).toContain('<p>The appointment PO-1001 was moved.</p>\n<table')
    expect(html).toContain('>Reason</th><td>Carrier delayed</td></tr>')
  })

  it.each(mailKinds)('has a default for the mail %s that leaves no variable', (kind) => {
    const { subject, text, html } = fillMail(getDefaultTemplate(kind), createSampleContent(kind))
    expect(`${subject}${text}${html}`).not.toMatch(/\{\{|undefined|null/)
  })

  it('has every variable of one line', () => {
    const template = '{{type}}|{{carrier}}|{{end}}|{{facility_code}}|{{before}}|{{reason}}|{{note}}'
    expect(fillMail({ subject: template, text: 'x' }, content).subject).toBe(
      'delivery|Sample Freight|07:00|SAMPLE|Mon, 1 Mar 2027, 09:00 (America/Chicago), Door 1|Carrier delayed|Call the gate on arrival',
    )
  })

  it('has nothing in place of what there is not', () => {
    const none = describeChange({ ...change, changes: [], reason: null, note: null })
    expect(fillMail({ subject: '[{{before}}{{reason}}{{note}}]', text: 'x' }, none).subject).toBe('[]')
  })

  it('keeps its line breaks in HTML, around the table and without it', () => {
    const { html } = fillMail({ subject: 'x', text: 'Hello\n\nA & B\n{{details}}\nBye <b>\nus' }, content)
    const body = html.replace(/<table[\s\S]*<\/table>/, 'TABLE')
    expect(body).toContain('\n<p>Hello<br>\n<br>\nA &#38; B</p>\nTABLE\n<p>Bye &#60;b&#62;<br>\nus</p>\n')
  })

  it('takes no line, element or variable from a text of a booking', () => {
    const hostile = 'A\r\nBcc: thief@evil.example\u2028{{note}}<script>'
    const appointment = { ...change.appointment, referenceNumber: hostile, carrierName: hostile }
    const template = { subject: '{{reference}}', text: '{{reference}}\n{{details}}' }
    const { subject, text, html } = fillMail(template, describeChange({ ...change, appointment, note: hostile }))
    expect(subject).toBe('A Bcc: thief@evil.example {{note}}<script>')
    expect(text).not.toMatch(/^Bcc/m)
    expect(text.split('\n')[0]).toBe(subject)
    expect(html).not.toContain('<script>')
  })
})
