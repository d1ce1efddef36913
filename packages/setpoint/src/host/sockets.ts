/** Where a connection leads to. */
export interface SocketAddress {
  readonly hostname: string
  readonly port: number
}

/** A door that passes connections on. */
export interface Forwarder {
  /** Ends it with all connections through it. */
  close(): Promise<void>
}

/**
 * Connections below HTTP, for programs that stand between others. They are no part of a `Host`: few need them, and a
 * virtual world has none.
 */
export interface Sockets {
  /** Connects and leaves again; rejects with `NETWORK_CONNECT_FAILED` when nobody answers in time. */
  knock(address: SocketAddress, timeoutMs: number): Promise<void>
  /**
   * Listens, and passes every connection on to where `target` says at that moment; without a target it is closed at once.
   * Rejects with `NETWORK_ADDRESS_IN_USE` or `NETWORK_CONNECT_FAILED`.
   */
  forward(door: SocketAddress, target: () => SocketAddress | undefined): Promise<Forwarder>
}
