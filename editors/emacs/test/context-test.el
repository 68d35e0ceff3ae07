;;; context-test.el --- The context that agents receive -*- lexical-binding: t; -*-

;;; Commentary:

;; Files, cursor and selection, as the program receives them.

;;; Code:

(require 'fixture)
(require 'rect)

(defun ide-companion-test-context ()
  "The context that would be sent now."
  (setq ide-companion--files-changed t)
  (ide-companion--context))

(defun ide-companion-test-active ()
  "The active file as it would be sent."
  (let* ((context (ide-companion-test-context))
         (path (plist-get context :activePath)))
    (cl-find path (plist-get context :files) :key (lambda (file) (plist-get file :path)) :test #'equal)))

(defun ide-companion-test-paths ()
  "The names of the files that would be sent."
  (sort (mapcar (lambda (file) (file-name-nondirectory (plist-get file :path)))
                (plist-get (ide-companion-test-context) :files))
        #'string<))

(defun ide-companion-test-selection ()
  "Text and range of the selection as sent: (TEXT LINE CHARACTER LINE CHARACTER)."
  (let* ((active (ide-companion-test-active))
         (range (plist-get active :selection)))
    (cons (plist-get active :selectedText)
          (mapcan (lambda (edge)
                    (let ((position (plist-get range edge)))
                      (list (plist-get position :line) (plist-get position :character))))
                  '(:start :end)))))

(defun ide-companion-test-position (line character)
  "The buffer position of LINE and CHARACTER, which counts UTF-16 units."
  (save-excursion
    (goto-char (point-min))
    (forward-line (1- line))
    (let ((units 1))
      (while (< units character)
        (setq units (+ units (if (> (char-after) #xffff) 2 1)))
        (forward-char)))
    (point)))

(defmacro ide-companion-test-with-mark (&rest body)
  "BODY, where the mark can be active."
  `(let ((transient-mark-mode t)) ,@body))

(ide-companion-deftest "open files are sent, and nothing else"
  (find-file (ide-companion-test-file "b.txt" "b"))
  (find-file (ide-companion-test-file "a.txt" "a"))
  (dired ide-companion-test-folder)
  (get-buffer-create "*note*")
  (with-current-buffer (get-buffer-create " *hidden*")
    (setq buffer-file-name (expand-file-name "hidden.txt" ide-companion-test-folder)))
  (with-current-buffer (get-buffer-create "remote")
    (setq buffer-file-name "/ssh:far.example:/tmp/remote.txt"))
  (should (equal (ide-companion-test-paths) '("a.txt" "b.txt")))
  (kill-buffer "a.txt")
  (should (equal (ide-companion-test-paths) '("b.txt")))
  (dolist (name '(" *hidden*" "remote"))
    (with-current-buffer name (setq buffer-file-name nil))))

(ide-companion-deftest "an indirect buffer is its file, with another cursor"
  (find-file (ide-companion-test-file "a.txt" "one\ntwo\n"))
  (let ((indirect (make-indirect-buffer "a.txt" "again" t)))
    (switch-to-buffer indirect)
    (goto-char 6)
    (should (equal (plist-get (ide-companion-test-active) :cursor) '(:line 2 :character 2)))
    (should (equal (ide-companion-test-paths) '("a.txt")))
    (kill-buffer indirect)))

(ide-companion-deftest "columns are UTF-16 code units, and count from 1"
  (find-file (ide-companion-test-file "a.txt" "x\na😀é\tb\n"))
  (goto-char (point-min))
  (should (equal (plist-get (ide-companion-test-active) :cursor) '(:line 1 :character 1)))
  (search-forward "b")
  (should (equal (plist-get (ide-companion-test-active) :cursor) '(:line 2 :character 7))))

(ide-companion-deftest "lines are counted beyond a narrowing"
  (find-file (ide-companion-test-file "a.txt" "one\ntwo\nthree\n"))
  (narrow-to-region 5 7)
  (goto-char 6)
  (should (equal (plist-get (ide-companion-test-active) :cursor) '(:line 2 :character 2))))

(ide-companion-deftest "the region is the selection, as long as it is active"
  (ide-companion-test-with-mark
   (find-file (ide-companion-test-file "a.txt" "one\ntwo\n"))
   (should-not (plist-get (ide-companion-test-active) :selectedText))
   (goto-char 2)
   (push-mark 6 t t)
   (should (equal (plist-get (ide-companion-test-active) :selectedText) "ne\nt"))
   (deactivate-mark)
   (should-not (plist-get (ide-companion-test-active) :selectedText))))

(ide-companion-deftest "the range of a selection has its text"
  (ide-companion-test-with-mark
   (find-file (ide-companion-test-file "a.txt" "x\na😀é\nthird\n"))
   (dolist (case '((3 6 ("a😀é" 2 1 2 5)) ; characters beyond the basic plane
                   (5 4 ("😀" 2 2 2 4)) ; selected backwards
                   (3 7 ("a😀é\n" 2 1 3 1)) ; up to the first column
                   (6 9 ("\nth" 2 5 3 3))))
     (goto-char (car case))
     (push-mark (cadr case) t t)
     (let ((found (ide-companion-test-selection)))
       (should (equal found (caddr case)))
       (pcase-let ((`(,text ,line ,character ,end-line ,end-character) found))
         (should (equal text (buffer-substring-no-properties
                              (ide-companion-test-position line character)
                              (ide-companion-test-position end-line end-character)))))))
   (narrow-to-region 3 7)
   (should (equal (ide-companion-test-selection) '("\n" 2 5 3 1)))))

(ide-companion-deftest "a selection of the user's function may have no range"
  (let ((ide-companion-selection-functions (list (lambda () "mine"))))
    (find-file (ide-companion-test-file "a.txt" "x"))
    (should (equal (plist-get (ide-companion-test-active) :selectedText) "mine"))
    (should-not (plist-get (ide-companion-test-active) :selection))))

(ide-companion-deftest "a rectangle is selected line by line"
  (ide-companion-test-with-mark
   (find-file (ide-companion-test-file "a.txt" "abcd\nx\nefgh\n"))
   (goto-char 2)
   (rectangle-mark-mode 1)
   (goto-char 11)
   (should (equal (ide-companion-test-selection) '("bc\n\nfg" 1 2 3 4)))))

(ide-companion-deftest "a huge selection is cut before it is copied"
  (ide-companion-test-with-mark
   (find-file (ide-companion-test-file "a.txt" (make-string 100000 ?x)))
   (push-mark (point-max) t t)
   (goto-char (point-min))
   (pcase-let ((`(,text . ,range) (ide-companion-test-selection)))
     (should (equal (length text) 16384))
     (should (equal range '(1 1 1 100001))))))

(ide-companion-deftest "while the focus is elsewhere the last file stays active, with its selection"
  (ide-companion-test-with-mark
   (find-file (ide-companion-test-file "a.txt" "one\ntwo\n"))
   (goto-char 5)
   (push-mark 8 t t)
   (ide-companion-test-context)
   (switch-to-buffer "*scratch*")
   (should (equal (plist-get (ide-companion-test-active) :selectedText) "two"))
   (ide-companion-test-propose)
   (ide-companion-next-proposal)
   (should (equal (plist-get (ide-companion-test-active) :selectedText) "two"))
   (kill-buffer "a.txt")
   (should-not (plist-get (ide-companion-test-context) :activePath))))

(ide-companion-deftest "a file is focused when its window is, and not before"
  (find-file (ide-companion-test-file "a.txt" "a"))
  (ide-companion-test-context)
  (let ((focused ide-companion--focused-at))
    (should (< (abs (- focused (ide-companion--milliseconds nil))) 60000))
    (split-window)
    (switch-to-buffer-other-window (find-file-noselect (ide-companion-test-file "b.txt" "b")))
    (ide-companion-test-until (lambda () (> (ide-companion--milliseconds nil) focused)))
    (ide-companion-test-context)
    (should (= focused (buffer-local-value 'ide-companion--focused-at (get-buffer "a.txt"))))
    (should (> ide-companion--focused-at focused))))

(ide-companion-deftest "the same is not sent twice, and a saved file is sent again"
  (find-file (ide-companion-test-file "a.txt" "a"))
  (ide-companion--update-context)
  (ide-companion--update-context)
  (should (= 1 (length (ide-companion-test-sent :companion/context))))
  (ide-companion--on-saved)
  (ide-companion-test-settle)
  (should (= 2 (length (ide-companion-test-sent :companion/context)))))

(ide-companion-deftest "a file that its user saves is reported"
  (find-file (ide-companion-test-file "a.txt" "a"))
  (add-hook 'after-save-hook #'ide-companion--on-saved nil t)
  (insert "b")
  (save-buffer)
  (should (equal (ide-companion-test-sent :companion/saved)
                 (list (list :path (ide-companion--file-name buffer-file-name))))))

(ide-companion-deftest "many commands make few messages"
  (ide-companion--watch)
  (unwind-protect
      (progn
        (find-file (ide-companion-test-file "a.txt" (make-string 1000 ?x)))
        (ide-companion-test-settle)
        (setq ide-companion-test-sent nil)
        (ide-companion-test-keys (mapconcat #'identity (make-list 200 "C-f") " "))
        (ide-companion--on-pause)
        (should (equal (plist-get (ide-companion-test-active) :cursor) '(:line 1 :character 201)))
        (should (< (length (ide-companion-test-sent :companion/context)) 50)))
    (ide-companion--unwatch)))

(ide-companion-deftest "an error in a function of the user's does not stop anything"
  (let ((ide-companion-selection-functions (list (lambda () (error "Mine")))))
    (find-file (ide-companion-test-file "a.txt" "a"))
    (ide-companion--update-context)
    (with-current-buffer ide-companion--log-name
      (should (string-search "Mine" (buffer-string))))))

(ide-companion-deftest "agents find the projects of open files, not of far ones"
  (let ((one (ide-companion-test-file "one/.git/HEAD" ""))
        (two (ide-companion-test-file "two/.git/HEAD" ""))
        (root (lambda (name) (expand-file-name name ide-companion-test-folder))))
    (ignore one two)
    (find-file (ide-companion-test-file "one/src/a.txt" "a"))
    (should (equal (ide-companion--current-roots) (list (funcall root "one"))))
    (find-file (ide-companion-test-file "loose/b.txt" "b"))
    (should (equal (ide-companion--current-roots) (list (funcall root "one"))))
    (dired (funcall root "two"))
    (should (equal (ide-companion--current-roots) (list (funcall root "one") (funcall root "two"))))))

(ide-companion-deftest "without a project, the folder of a file is one, but never the home"
  (find-file (ide-companion-test-file "loose/b.txt" "b"))
  (let ((folder (directory-file-name default-directory)))
    (should (equal (ide-companion--current-roots) (list folder)))
    (let ((process-environment (cons (concat "HOME=" folder) process-environment)))
      (should-not (ide-companion--current-roots)))))

(ide-companion-deftest "the program receives changes of folders"
  (setq ide-companion--roots '("/before"))
  (let ((ide-companion-roots-function (lambda () '("/after/"))))
    (ide-companion--follow-roots)
    (ide-companion--follow-roots))
  (should (equal (ide-companion-test-sent :workspace/didChangeWorkspaceFolders)
                 '((:event (:added [(:uri "/after" :name "after")]
                            :removed [(:uri "/before" :name "before")]))))))

(provide 'context-test)
;;; context-test.el ends here
