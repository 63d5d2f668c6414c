# Removes a cluster as soon as the test process closes the pipe, whichever way it ends. The first line of standard input is the folder of
# the cluster. It is no argument, so that this script does not match its own search.
read -r folder
cat > /dev/null
[ -d "$folder" ] || exit 0

# Patroni may start a server again between two searches, so they are repeated until there is nothing left.
find_processes() {
  pgrep -f -- "$folder/"
  grep -lsza -e "=$folder\$" -e "=$folder/" /proc/[0-9]*/environ | cut -d/ -f3
}
while pids=$(find_processes) && [ -n "$pids" ]; do
  kill -KILL $pids 2> /dev/null
  sleep 0.1
done
rm -rf -- "$folder"
