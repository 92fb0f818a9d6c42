// SPDX-License-Identifier: GPL-2.0-only

// cgroup-go makes pipes, some for children, by the system calls of Go's runtime.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

const rounds = 20

func main() {
	for i := 0; i < rounds; i++ {
		reader, writer, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		go func(line int) {
			fmt.Fprintln(writer, "line", line)
			writer.Close()
		}(i)
		text, err := io.ReadAll(reader)
		if err != nil {
			panic(err)
		}
		reader.Close()
		out, err := exec.Command("/bin/echo", string(text)).Output()
		fmt.Print(string(out), err)
	}
}
