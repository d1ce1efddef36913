// The client of the benchmark: it sends a review again and again, as an API server does.
//
//	client -url URL -ca FILE -review FILE -count 5000 -concurrency 1
//
// It prints one line of JSON. A response that is not HTTP 200 with the expected decision is an error.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	var options options
	flag.StringVar(&options.url, "url", "", "address of the webhook")
	flag.StringVar(&options.caFile, "ca", "", "file with the certificate authority")
	flag.StringVar(&options.reviewFile, "review", "", "file with the AdmissionReview")
	flag.BoolVar(&options.allowed, "allowed", true, "the expected decision")
	flag.IntVar(&options.count, "count", 1, "number of reviews of each worker")
	flag.IntVar(&options.concurrency, "concurrency", 1, "number of workers")
	flag.Parse()
	measured, err := measure(options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(measured); err != nil {
		panic(err)
	}
}
