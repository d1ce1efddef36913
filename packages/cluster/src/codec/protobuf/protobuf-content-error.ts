/** A protobuf body whose kind is known but whose content cannot be decoded; the message is Go's. */
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
