import type { ResultOf } from '../../../src/catalog'
import { drawQrPng, drawQrSvg } from './qr-code'

type Shown = Pick<ResultOf<'appointments.get'>, 'referenceNumber'>

/** The reference as a QR code, for a confirmation on paper: the scanner of a screen at the gate types it. */
export function renderReferenceSvg({ referenceNumber }: Shown): string {
  return drawQrSvg(referenceNumber, referenceNumber)
}

export function renderReferencePng({ referenceNumber }: Shown): Uint8Array {
  return drawQrPng(referenceNumber)
}
