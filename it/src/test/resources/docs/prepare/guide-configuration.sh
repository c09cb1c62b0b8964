printf 'sources: [/var/log/app]\ndestination: /mnt/archive\n' > tailwater.yaml
