import { GraphQLError } from 'graphql'

export function notFound(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type: 'NOT_FOUND' } })
}

export function unprocessable(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type: 'UNPROCESSABLE' } })
}

/** GitHub names the field that it does not have. */
export function toUndefinedField({ message }: GraphQLError) {
  const [, fieldName, typeName] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? []
  return fieldName === undefined
    ? { message }
    : {
        message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
        extensions: { code: 'undefinedField', typeName, fieldName },
      }
}
