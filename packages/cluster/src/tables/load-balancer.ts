/** Where a load balancer can be reached, as services and ingresses report it. */
export interface LoadBalancerStatus {
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[]
}

/** The addresses of a load balancer, each once and sorted; the IP address wins over the name. */
export function loadBalancerAddresses(status: LoadBalancerStatus | undefined): string[] {
  const addresses = (status?.ingress ?? []).map(({ ip = '', hostname = '' }) =>
    ip === '' ? hostname : ip,
  )
  return [...new Set(addresses.filter((address) => address !== ''))].sort()
}
