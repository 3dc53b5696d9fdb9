// Command kvstoremesh is Cilium's own KVStoreMesh, linked without the parts of
// clustermesh-apiserver that need Kubernetes. Every subcommand here is exported
// by Cilium's module; this file only puts them under one root.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/cilium/cilium/clustermesh-apiserver/common"
	"github.com/cilium/cilium/clustermesh-apiserver/kvstoremesh"
	kvstoremeshdbg "github.com/cilium/cilium/clustermesh-apiserver/kvstoremesh-dbg"
	"github.com/cilium/cilium/clustermesh-apiserver/version"
	"github.com/cilium/cilium/pkg/hive"
)

func main() {
	root := &cobra.Command{
		Use:   "kvstoremesh",
		Short: "Cilium KVStoreMesh, built by meshscale from Cilium's Go module",
	}
	root.AddCommand(
		version.NewCmd(),
		kvstoremesh.NewCmd(hive.New(common.Cell, kvstoremesh.Cell)),
		kvstoremeshdbg.RootCmd,
	)
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
