package cmd

// release is the version of the program.
const release = "0.1.0"
