import { renderUnicodeCompact } from 'uqr'
import type { ResultOf } from '../../../src/catalog'
import { drawQrSvgFile } from '../../../src/docks/gate/rules/qr-code'
import { drawQrPng } from '../../../src/docks/gate/services/qr-png'
import { type Canvas, facts, printableLine } from '../../terminal/layout'

type NewLink = ResultOf<'facilities.create-gate-link'>

/** On a terminal with its code, which a phone reads from the screen. */
export function renderNewGateLink(answer: NewLink, canvas: Canvas): string {
  const { link, name, kiosk, facilityCode, facilityName, expiresAt, id } = answer
  const isWhole = link.includes('://')
  const details = facts(canvas, [
    ['Facility', printableLine(`${facilityCode} ${facilityName}`)],
    ['Name', printableLine(name)],
    ['For', kiosk ? 'a screen that drivers share' : 'phones'],
    ['Expires', expiresAt ?? 'never'],
    ['ID', id],
  ])
  const code = canvas.width === null || !isWhole ? '' : `\n${renderUnicodeCompact(link, { border: 2 })}\n`
  const next = isWhole
    ? 'Copy the link now: it is not shown again. --out gate.svg writes its QR code when a link is created.'
    : 'Copy the link now: it is not shown again. Put the address of the service before it, and set it for the next one: studio config set serve.publicUrl <url>'
  return `${canvas.colors.strong(link)}\n\n${details}${code}\n${next}\n`
}

export function renderGateLinkSvg({ link, facilityName }: NewLink): string {
  return drawQrSvgFile(link, facilityName)
}

export function renderGateLinkPng({ link }: NewLink): Uint8Array {
  return drawQrPng(link)
}
