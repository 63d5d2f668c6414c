import type { ResultOf } from '../../../src/catalog'
import { drawQrSvgFile } from '../../../src/docks/gate/rules/qr-code'
import { drawQrPng } from '../../../src/docks/gate/services/qr-png'

type Shown = Pick<ResultOf<'appointments.get'>, 'referenceNumber'>

/** The reference as a QR code, for a confirmation on paper: the scanner of a screen at the gate types it. */
export function renderReferenceSvg({ referenceNumber }: Shown): string {
  return drawQrSvgFile(referenceNumber, referenceNumber)
}

export function renderReferencePng({ referenceNumber }: Shown): Uint8Array {
  return drawQrPng(referenceNumber)
}
