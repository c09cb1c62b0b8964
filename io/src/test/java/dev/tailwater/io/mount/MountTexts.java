package dev.tailwater.io.mount;

/** Lines of /proc/self/mountinfo as kernels print them. */
final class MountTexts {
  static final String ROOT =
      "22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw,errors=remount-ro\n";
  static final String SYNC_EXT4 =
      "95 22 7:0 / /mnt/batch rw,relatime shared:51 - ext4 /dev/loop0 rw,sync\n";
  static final String XFS =
      "41 22 8:17 / /srv rw,noatime shared:20 - xfs /dev/sdb1"
          + " rw,attr2,inode64,logbufs=8,logbsize=32k,noquota\n";
  static final String BTRFS_ROOT =
      "60 22 0:31 /@ /pool rw,relatime shared:30 - btrfs /dev/sdc1"
          + " rw,ssd,space_cache=v2,subvolid=256,subvol=/@\n";
  static final String BTRFS_HOME =
      "61 60 0:31 /@home /pool/home rw,relatime shared:31 - btrfs /dev/sdc1"
          + " rw,ssd,space_cache=v2,subvolid=257,subvol=/@home\n";
  static final String OVERLAY =
      "612 540 0:58 / / rw,relatime master:205 - overlay overlay"
          + " rw,lowerdir=/var/lib/docker/overlay2/l/AB:/var/lib/docker/overlay2/l/CD,"
          + "upperdir=/var/lib/docker/overlay2/e1/diff,workdir=/var/lib/docker/overlay2/e1/work\n";
  static final String TMPFS =
      "26 22 0:23 / /run rw,nosuid,nodev,noexec shared:5 - tmpfs tmpfs rw,size=805820k,mode=755\n";

  /** The mount of article 000, whose options are those of its /proc/mounts. */
  static final String NFS4_NOAC =
      "76 22 0:45 / /nfs rw,relatime shared:42 - nfs4 192.168.56.101:/nfs_export/batch"
          + " rw,sync,vers=4.0,rsize=131072,wsize=131072,namlen=255,acregmin=0,acregmax=0,"
          + "acdirmin=0,acdirmax=0,hard,noac,proto=tcp,port=0,timeo=600,retrans=2,sec=sys,"
          + "clientaddr=192.168.56.102,local_lock=none,addr=192.168.56.101\n";

  static final String NFS3 =
      "77 22 0:46 / /nfs3 ro,relatime shared:43 - nfs filer:/vol/data"
          + " rw,vers=3,rsize=65536,wsize=32768,namlen=255,soft,proto=tcp,timeo=600,retrans=2,"
          + "sec=sys,mountaddr=10.0.0.9,mountvers=3,mountport=635,mountproto=tcp,"
          + "local_lock=none,addr=10.0.0.9\n";
  static final String CIFS =
      "80 22 0:50 / /share rw,relatime shared:50 - cifs //server/share"
          + " rw,vers=3.1.1,cache=strict,username=batch,uid=0,noforceuid,gid=0,noforcegid,"
          + "addr=10.0.0.7,file_mode=0755,dir_mode=0755,soft,nounix,serverino,mapposix,"
          + "rsize=4194304,wsize=65536,bsize=1048576,echo_interval=60,actimeo=1\n";
  static final String NINE_P =
      "90 22 0:60 / /host rw,relatime - 9p hostshare rw,access=any,msize=131072,trans=virtio\n";
  static final String SSHFS =
      "91 22 0:61 / /home/me/My\\040Files\\134new rw,nosuid,nodev,relatime shared:60 -"
          + " fuse.sshfs me@host:/data rw,user_id=1000,group_id=1000,max_read=65536\n";
  static final String BIND =
      "99 22 8:17 /logs /var/log/app ro,noatime shared:20 - xfs /dev/sdb1"
          + " rw,attr2,inode64,logbufs=8,logbsize=32k,noquota\n";

  private MountTexts() {}
}
