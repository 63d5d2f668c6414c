export interface WireResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export function createJsonResponse(value: unknown, status = 200): WireResponse {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}

/** `{count, value}`: the tracker's format of a list. */
export function createListResponse(value: readonly unknown[]): WireResponse {
  return createJsonResponse({ count: value.length, value })
}

export function createErrorResponse(error: WireError): WireResponse {
  return createJsonResponse(createErrorBody(error), error.status)
}

/** An HTML page. Its policy blocks scripts and external resources. */
export function createPageResponse(html: string, status = 200): WireResponse {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
    body: html,
  }
}

/** An error with the tracker's own message. Clients distinguish errors by `typeKey`. */
export class WireError extends Error {
  constructor(
    readonly status: number,
    readonly typeKey: string,
    message: string,
    /** Further members of the error body. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

function createErrorBody(error: WireError): Record<string, unknown> {
  return {
    $id: '1',
    innerException: null,
    message: error.message,
    typeName: `Sandbox.WorkItemTracking.${error.typeKey}, Sandbox.WorkItemTracking`,
    typeKey: error.typeKey,
    errorCode: 0,
    eventId: 3200,
    ...error.more,
  }
}

/** The answer is the same for a missing and an unreadable item. */
export function createItemNotFoundError(id: number): WireError {
  return new WireError(
    404,
    'WorkItemUnauthorizedAccessException',
    `TF401232: Work item ${id} does not exist, or you do not have permissions to read it.`,
  )
}

export function createBadRequestError(message: string): WireError {
  return new WireError(400, 'VssPropertyValidationException', message)
}

export function createFieldNotFoundError(name: string): WireError {
  return new WireError(400, 'WorkItemTrackingFieldDefinitionNotFoundException', `TF51535: Cannot find field ${name}.`)
}

export function createReadOnlyFieldError(referenceName: string): WireError {
  return new WireError(
    400,
    'WorkItemFieldInvalidException',
    `TF401326: Invalid field status 'ReadOnly' for field '${referenceName}'.`,
  )
}

export function createDateOrderError(): WireError {
  return new WireError(
    400,
    'WorkItemDatesNotIncreasingException',
    'VS402625: Dates must be increasing with each revision.',
  )
}

export function createPathNotFoundError(id: number, referenceName: string): WireError {
  return new WireError(
    400,
    'WorkItemFieldInvalidTreeNameException',
    `TF401347: Invalid tree name given for work item ${id}, field '${referenceName}'.`,
  )
}

/** A rule of the process; `flags` as the tracker lists them: `Required, InvalidEmpty`. */
export function createRuleError(
  field: { referenceName: string; name: string },
  flags: string,
  message?: string,
): WireError {
  const text = message ?? `TF401320: Rule Error for field ${field.name}. Error code: ${flags}.`
  const error = {
    fieldReferenceName: field.referenceName,
    fieldStatusFlags: flags.replace(/\b[A-Z]/g, (letter) => letter.toLowerCase()),
    errorMessage: text,
    ruleValidationErrors: null,
  }
  return new WireError(400, 'RuleValidationException', text, {
    customProperties: { ...error, RuleValidationErrors: [error] },
  })
}

export function createFailedTestError(path: string, found: unknown, expected: unknown): WireError {
  return new WireError(
    412,
    'TestPatchOperationFailedException',
    `VS403351: Test Operation for path ${path} failed, value ${String(found)} was not equal to test value ${String(expected)}.`,
  )
}

export function createPatchError(message: string): WireError {
  return new WireError(400, 'PatchOperationFailedException', message)
}
