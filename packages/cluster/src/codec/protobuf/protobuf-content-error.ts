/** A protobuf body that says what it is but is not readable as that; the message is Go's. */
export class ProtobufContentError extends Error {
  readonly apiVersion: string
  readonly kind: string

  constructor(message: string, claimed: { readonly apiVersion: string; readonly kind: string }) {
    super(message)
    this.name = 'ProtobufContentError'
    this.apiVersion = claimed.apiVersion
    this.kind = claimed.kind
  }
}
