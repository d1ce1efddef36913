/** The address of a connection. */
export interface SocketAddress {
  readonly hostname: string
  readonly port: number
}

/** A listener that forwards connections. */
export interface Forwarder {
  /** Closes it with all its connections. */
  close(): Promise<void>
}

/**
 * TCP connections, for programs that forward them. They are not part of a `Host`: few programs need
 * them, and a virtual host has none.
 */
export interface Sockets {
  /**
   * Connects and disconnects; rejects with `NETWORK_CONNECT_FAILED` when the address does not
   * respond in time.
   */
  probeTcp(address: SocketAddress, timeoutMs: number): Promise<void>
  /**
   * Listens at an address, and forwards every connection to the current `target`; without a target
   * the connection is closed immediately. Rejects with `NETWORK_ADDRESS_IN_USE` or
   * `NETWORK_CONNECT_FAILED`.
   */
  forward(listen: SocketAddress, target: () => SocketAddress | undefined): Promise<Forwarder>
}
