/**
 * certificates/: from a request for a certificate to the certificate, and to the end of the request.
 *
 * `workloads/` starts the controllers: one approves requests of nodes, one signs what is approved, one deletes what is old.
 * `signer-rules` has what signers demand, in the words of a real cluster. The authority itself belongs to the cluster, which
 * hands in a function that signs.
 */
export { certificateApprovalController } from './approval-controller.ts'
export { certificateCleaningController } from './cleaning-controller.ts'
export { certificateSigningController, type CertificateOrder } from './signing-controller.ts'
