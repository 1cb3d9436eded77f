process.stdout.write("not here yet\n");
