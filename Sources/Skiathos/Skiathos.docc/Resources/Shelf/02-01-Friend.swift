import Skiathos

/// A friend who borrows books.
@Entity package struct Friend {
    @Unique package var name = ""
}
